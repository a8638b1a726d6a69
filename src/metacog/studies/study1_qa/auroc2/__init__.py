"""Do two measures rank the models alike?"""

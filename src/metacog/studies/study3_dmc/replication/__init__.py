"""What do the study's four questions get for answers from the models of this run?"""

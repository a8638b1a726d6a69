"""Which published figures follow from the published cells?"""

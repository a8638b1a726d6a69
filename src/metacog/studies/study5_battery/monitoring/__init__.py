"""Who knows what it knows?"""

"""Who leads, and who fails where?"""

"""How far can the key be trusted?"""

"""Does measured confidence tell luck from knowledge?"""

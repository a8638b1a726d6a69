"""How accurate is a model on the answers it is most confident of?"""

"""What the probe asks: items, wordings, the conversation about an item, and how a reply is marked."""

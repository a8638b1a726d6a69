"""What does instruction tuning do to metacognition?"""

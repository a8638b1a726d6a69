"""What several questions of study 5 compute: deltas, profiles, scores, commitment, paths, integrity."""

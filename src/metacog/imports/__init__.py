"""Other people's trials: tables and logs in, checked trial tables and a report out."""

"""What a run, a schedule, a bench or an examination came to, as lines of plain text and as documents."""

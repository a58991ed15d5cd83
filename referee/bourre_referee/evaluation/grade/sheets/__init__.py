"""What students and staff read, made from the record and the evidence."""

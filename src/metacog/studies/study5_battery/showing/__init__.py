"""What the views of several questions share: columns of tables, marks of figures."""

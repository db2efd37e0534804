"""What the product needs around it while it is developed and tested."""

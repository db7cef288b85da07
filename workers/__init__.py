"""What runs beside the engines: the hosted bots, and the queues that call them."""

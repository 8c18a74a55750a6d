"""What a look can say of an ability: it cannot be done, a trial must tell, it goes well up to chance, it can be done."""

NO, MAYBE, OPEN, YES = range(4)

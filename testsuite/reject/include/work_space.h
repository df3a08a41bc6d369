void relax(void);

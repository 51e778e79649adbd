module health

go 1.19

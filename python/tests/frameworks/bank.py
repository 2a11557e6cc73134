from world import transfer as transfer

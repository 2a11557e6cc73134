// Keeps a core busy for as long as the process that started it lives, however that ends. Usage: node burn.mjs <its id>
const LOOK_MS = 50;
const parent = Number(process.argv[2]);
while (process.ppid === parent) {
  const until = performance.now() + LOOK_MS;
  while (performance.now() < until);
}

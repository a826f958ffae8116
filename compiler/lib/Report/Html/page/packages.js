// Vega's packages as Debian has them expect to be required by name; each is run when it is first asked for.
const packageBodies = {}, packageExports = {};

function definePackage(name, body) {
  packageBodies[name] = body;
}

function requirePackage(name) {
  if (!(name in packageExports)) {
    const module = { exports: {} };
    packageExports[name] = module.exports;
    packageBodies[name](module, module.exports, requirePackage);
    packageExports[name] = module.exports;
  }
  return packageExports[name];
}

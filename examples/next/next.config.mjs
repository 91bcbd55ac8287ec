// Next must not bundle the package: it loads native code, from node_modules.

/** @type {import('next').NextConfig} */
export default { serverExternalPackages: ['ag-ui-native'] }

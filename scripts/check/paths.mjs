// What a path says of its file, and places in a text.

export const packages = ['contract', 'engine', 'server', 'web']
export const packageOf = (path) => path.slice(0, path.indexOf('/'))
export const folderOf = (path) => path.slice(0, path.lastIndexOf('/'))
export const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1)
export const isCode = (path) => /\.(tsx?|mjs)$/.test(path)
/** AssemblyScript, compiled to WebAssembly. */
export const isKernel = (path) => /^engine\/kernels\//.test(path)
export const isTest = (path) => /\.test\.tsx?$/.test(path) || /^(?:[^/]+\/test|e2e\/journeys|canaries)\//.test(path)
/** TypeScript of one of the four packages that is not a test. */
export const isSource = (path) => /^(contract|engine|server|web)\/src\/.*\.tsx?$/.test(path) && !isTest(path)
/** The page of all parts, for developers only. */
export const isStyleguide = (path) => /^web\/(src\/)?styleguide\//.test(path)
/** Lines as an editor counts them. */
export const linesIn = (text) => (text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0))
/** The line of an offset, from 1. */
export const lineAt = (text, offset) => text.slice(0, offset).split('\n').length

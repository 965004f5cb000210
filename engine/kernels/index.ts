export * from './elementwise'
export * from './pairs'
export * from './rank'
export * from './window'

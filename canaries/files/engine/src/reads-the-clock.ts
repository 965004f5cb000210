// biome lint/style/noRestrictedGlobals: no clock
export const today = () => new Date().toISOString().slice(0, 10)

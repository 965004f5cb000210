// tsc TS2591: no process
export const seed = () => process.env['SEED']

/** A number in a sentence, with the minus that all pages write. */
export const figure = (value: number, decimals: number): string => value.toFixed(decimals).replace('-', '−')

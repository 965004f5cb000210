// tsc TS2304: no network
export const quotes = () => fetch('https://example.com')

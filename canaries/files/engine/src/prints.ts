// tsc TS2584: no console
export const show = (nav: number) => console.log(nav)

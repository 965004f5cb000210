/** What is binned, and the day that the range begins on: the first that has it. The peer in Python says the same. */
export const factor = 'formula: close/ref(close,5)-1'
export const firstDay = 5

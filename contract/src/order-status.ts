/** What becomes of an order (the specification's names). 5 and 6 are its ends. Apart from the shapes: a page may need no more of them. */
export const orderStatus = { waitPaying: 0, paying: 1, payFailed: 2, payQuit: 3, payFinished: 4, quit: 5, finished: 6 } as const

let lost = 0

/** Counts messages of this process that ended without having been handed to a vendor: their time was over, or another key had sealed them. */
export const countLost = (messages: number): void => {
  lost += messages
}

/** Messages that this process has lost since its start. */
export const lostMessages = (): number => lost

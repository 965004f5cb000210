import type { RefObject } from 'react'
import { PopoverPanel } from '../overlay/popups.ts'
import type { PopupPlace } from '../popup.ts'
import { Calendar, type CalendarProps } from './calendar-month.tsx'

export type CalendarPopupProps = PopupPlace & CalendarProps & { box?: RefObject<Element | null> }

/** A calendar under its button. A day that is picked closes it; of several each press adds one or takes it away. */
export function CalendarPopup({ box, several = false, chosen, min, max, closed, onPick, onYear, ...place }: CalendarPopupProps) {
  return (
    <PopoverPanel {...place} box={box} margin={4} className="menu calendar-popup">
      {(close) => (
        <Calendar
          {...{ chosen, several, min, max, closed, onYear }}
          onPick={(date) => {
            onPick(date)
            if (!several) close()
          }}
        />
      )}
    </PopoverPanel>
  )
}

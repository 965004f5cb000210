type Load = () => Promise<unknown>

/** What to load ahead for links that end in a segment. */
const loads = new Map<string, Load>()
export const prefetchable = (segment: string, load: Load): void => void loads.set(segment, load)

/** A link's page is fetched ahead once the mouse or the focus has been on it for 100 ms (specification 9). */
export function prefetchHandlers(to: string) {
  let timer: ReturnType<typeof setTimeout>
  const start = () => {
    timer = setTimeout(() => {
      loads
        .get(to.split('/').at(-1) ?? '')?.()
        .catch(() => {})
    }, 100)
  }
  const stop = () => clearTimeout(timer)
  return { onPointerEnter: start, onFocus: start, onPointerLeave: stop, onBlur: stop }
}

/** What a browser says of itself, as far as we use it. Pure: a user agent, and whether the screen can be touched. */
export interface Device {
  type: 'mobile' | 'tablet' | 'desktop'
  browser: string
  system: string
}

const browsers: readonly [RegExp, string][] = [
  [/MicroMessenger/i, 'wechat'],
  [/Edg(A|iOS)?\//, 'edge'],
  [/OPR\//, 'opera'],
  [/Firefox\/|FxiOS\//, 'firefox'],
  [/Chrome\/|CriOS\//, 'chrome'],
  [/Safari\//, 'safari'],
]
const systems: readonly [RegExp, string][] = [
  [/Windows/, 'windows'],
  [/OpenHarmony|HarmonyOS/, 'harmonyos'],
  [/Android/, 'android'],
  [/iPhone|iPad|iPod/, 'ios'],
  [/Mac OS X|Macintosh/, 'macos'],
  [/Linux/, 'linux'],
]
const first = (table: readonly [RegExp, string][], agent: string) => table.find(([mark]) => mark.test(agent))?.[1] ?? 'other'

/** An iPad calls itself a Macintosh; only that it can be touched (`navigator.maxTouchPoints > 1`) gives it away. */
export function deviceOf(agent: string, touch = false): Device {
  const pad = /iPad|Tablet/.test(agent) || (/Android/.test(agent) && !/Mobile/.test(agent)) || (touch && /Macintosh/.test(agent))
  const phone = /Mobi|iPhone|iPod/.test(agent)
  const type = pad ? 'tablet' : phone ? 'mobile' : 'desktop'
  return { type, browser: first(browsers, agent), system: pad && /Macintosh/.test(agent) ? 'ios' : first(systems, agent) }
}

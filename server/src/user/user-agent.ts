/** What a User-Agent says of a device, in words of these tables only: whatever else it holds was written by a stranger. */
export interface Seen {
  readonly device: string
  readonly os: string
  readonly browser: string
}

type Table = readonly (readonly [mark: RegExp, word: string])[]

// The first mark that fits counts; its group is a version.
const devices: Table = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b(?=.*\bMobile\b)/, '安卓手机'],
  [/\bAndroid\b/, '安卓平板'],
  [/\bOpenHarmony\b/, '鸿蒙设备'],
  [/\b(?:Windows NT|Macintosh|X11|CrOS)\b/, '电脑'],
]
const systems: Table = [
  // Windows 11 still calls itself 10.0.
  [/\bWindows NT 10\.0\b/, 'Windows 10/11'],
  [/\bWindows NT 6\.1\b/, 'Windows 7'],
  [/\bWindows\b/, 'Windows'],
  [/\b(?:iPhone OS|CPU OS) (\d{1,2})/, 'iOS'],
  [/\bOpenHarmony (\d{1,2})/, '鸿蒙'],
  [/\bAndroid (\d{1,2})/, '安卓'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]
const browsers: Table = [
  [/\bMicroMessenger\/(\d{1,3})/, '微信'],
  [/\bEdgA?\/(\d{1,3})/, 'Edge'],
  [/\bOPR\/(\d{1,3})/, 'Opera'],
  [/\bQQBrowser\/(\d{1,3})/, 'QQ 浏览器'],
  [/\b(?:UCBrowser|UBrowser)\/(\d{1,3})/, 'UC 浏览器'],
  [/\b(?:Firefox|FxiOS)\/(\d{1,3})/, 'Firefox'],
  [/\b(?:Chrome|CriOS)\/(\d{1,3})/, 'Chrome'],
  [/\bVersion\/(\d{1,3})(?=.*\bSafari\/)/, 'Safari'],
]

/** '' for what is not known. */
export const seenIn = (userAgent: string): Seen => ({
  device: wordFor(devices, userAgent),
  os: wordFor(systems, userAgent),
  browser: wordFor(browsers, userAgent),
})

function wordFor(table: Table, userAgent: string): string {
  for (const [mark, word] of table) {
    const found = mark.exec(userAgent)
    if (found) return found[1] ? `${word} ${Number(found[1])}` : word
  }
  return ''
}

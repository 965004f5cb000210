/**
 * The oldest browsers that the site works in, as the build names them. README and the page (index.html) name them to users; compat.mjs holds
 * the built files against them. Chromium 109 is the last on Windows 7; WeChat and other views of Android and iOS are these engines too.
 */
export const browsers = ['chrome109', 'edge109', 'firefox128', 'safari16.4', 'ios16.4'] as const

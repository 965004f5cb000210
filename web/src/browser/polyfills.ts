// Fetched before the first module where index.html finds one of these missing (Chromium 109 to 119, Safari 16.4 to 17.3), and only there.
import './methods.ts'
// Menus, lists and toasts lie in the browser's top layer by the popover attribute: Chromium 114, Safari 17.
import '@oddbird/popover-polyfill'

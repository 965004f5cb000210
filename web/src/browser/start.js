// Stands inside index.html, before all else (scripts/start-tag.ts). ES5: whatever browser comes must be able to read it.
// 1 the look, 2 whether this browser can run the site, 3 its first module, 4 a sentence where that does not come up.
;(function () {
  // Before the first paint, so that a dark page never flashes white.
  function kept(key, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(key)) || otherwise
    } catch (_unreadable) {
      return otherwise
    }
  }
  var theme = kept('preference:theme', 'system')
  var dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  var page = document.documentElement
  page.setAttribute('data-theme', dark ? 'dark' : 'light')
  page.setAttribute('data-density', kept('preference:density', 'compact'))
  page.setAttribute('data-rise', kept('preference:rise', 'red'))

  // What is used and cannot be filled in, the youngest of each engine. Never the name that a browser gives itself.
  var lookBehind = '(?<=a)b'
  function canRun() {
    try {
      new Intl.NumberFormat('zh-CN', { signDisplay: 'negative' })
      RegExp(lookBehind)
      return 'noModule' in document.createElement('script') && CSS.supports('selector(:has(a))')
    } catch (_missing) {
      return false
    }
  }
  // polyfills.ts brings these.
  function hasAll() {
    return AbortSignal.any && [].toReversed && [].toSorted && URL.canParse
  }

  var told = false
  function isUp() {
    var root = document.getElementById('root')
    return Boolean(root && root.children.length > 0 && !document.getElementById('starting'))
  }
  /** In the place of 加载中…, as long as nothing else stands there. */
  function tell(title, text, again) {
    if (document.readyState === 'loading') {
      document.addEventListener('DOMContentLoaded', function () {
        tell(title, text, again)
      })
      return
    }
    if (isUp()) return
    told = true
    var place = document.getElementById('starting') || document.body.appendChild(document.createElement('div'))
    function add(tag, words) {
      var part = place.appendChild(document.createElement(tag))
      part.appendChild(document.createTextNode(words))
      return part
    }
    while (place.firstChild) place.removeChild(place.firstChild)
    place.id = 'starting'
    place.className = 'empty page-spinner'
    place.setAttribute('role', 'alert')
    add('b', title)
    add('p', text)
    if (!again) return
    var button = add('button', '重试')
    button.className = 'button primary'
    button.onclick = function () {
      location.reload()
    }
  }

  // Written, so that modules wait for the page and its styles and run in this order, as if their tags stood here.
  function write(address) {
    document.write('<script type="module" crossorigin src="' + address + '"><' + '/script>')
  }
  var start = document.getElementById('start')
  var entry = start.getAttribute('data-entry')
  var tooOld = '浏览器版本过旧，请用 Chrome 109、Edge 109、Safari 16.4、Firefox 128 或更新版本打开'
  if (!canRun()) {
    tell(tooOld, '360、QQ 等浏览器请切换到极速模式；在微信里打不开时，请更新微信，或用手机自带的浏览器打开。')
    return
  }
  if (entry) {
    if (!hasAll()) write(start.getAttribute('data-polyfills'))
    write(entry)
  }
  // A script that did not come, and whatever our first modules throw; both only while nothing is shown yet.
  function hear(event) {
    if (isUp()) return
    if (event.target && event.target.tagName === 'SCRIPT') tell('页面加载失败', '请检查网络后重试。', true)
    else if (String(event.filename).indexOf('/assets/') > 0) {
      tell(tooOld, '如果已是这些版本，请重试；仍打不开时，请把这句话告诉我们：' + event.message, true)
    }
  }
  window.addEventListener('error', hear, true)
  setTimeout(function () {
    if (!told) tell('加载较慢', '网络较慢或服务繁忙，仍在加载，可以再等等，或重试。', true)
  }, 8000)
})()

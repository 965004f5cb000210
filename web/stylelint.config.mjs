// Sizes, spaces, radii and layers come from the scale (web/src/tokens.css), widths from four breakpoints. Found by `npm run check:css`.
const token = (name) => String.raw`var\(--${name}-[\w-]+\)`
const scale = (name) =>
  String.raw`(?:0|1px|auto|inherit|normal|-?[\d.]+%|${token(name)}|(?:calc|min|max|clamp)\(.*${token(name)}.*\)|env\(.*\))`
/** One value of the scale, or several in a row. */
const of = (name) => [new RegExp(`^${scale(name)}(?: ${scale(name)})*$`)]
const widths = ['480px', '768px', '1100px', '1280px']
const notAtAll = [/^$/]

export default {
  rules: {
    'declaration-property-value-allowed-list': {
      'font-size': of('font'),
      'line-height': of('line'),
      'font-weight': of('weight'),
      '/^(?:row-|column-)?gap$/': of('space'),
      '/^padding/': of('space'),
      '/^margin/': of('space'),
      '/^border-(?:[a-z-]+-)?radius$/': of('radius'),
      'z-index': of('layer'),
    },
    'media-feature-name-value-allowed-list': { 'max-width': widths, 'min-width': notAtAll, width: notAtAll },
    'color-no-hex': true,
    'declaration-no-important': true,
    'selector-max-id': 0,
    'selector-max-compound-selectors': 3,
    'no-duplicate-selectors': true,
  },
  overrides: [
    { files: ['**/tokens.css'], rules: { 'color-no-hex': null } },
    // On paper the page's own rules are overruled.
    { files: ['**/*print.css'], rules: { 'declaration-no-important': null } },
  ],
}

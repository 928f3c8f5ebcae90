// Colors and lines of the API reference at /docs. Scalar's own are below the contrast of 4.5:1 that WCAG requires.

/** Text in two grays, then methods and code, on the backgrounds of both schemes. */
const LIGHT = {
  'color-2': '#5a5a5a',
  'color-3': '#666666',
  'color-green': '#006b44',
  'color-red': '#b81414',
  'color-yellow': '#735600',
  'color-blue': '#005f99',
  'color-orange': '#a33600',
  'color-accent': '#005f99',
}

const DARK = {
  'color-2': '#b4b4b4',
  'color-3': '#a0a0a0',
  'color-green': '#3fcf7f',
  'color-red': '#ff7b72',
  'color-yellow': '#ffc90d',
  'color-blue': '#6cc1f2',
  'color-orange': '#ff9d66',
}

const scheme = (name: string, colors: Readonly<Record<string, string>>) =>
  `.${name}{${Object.entries(colors)
    .map(([color, value]) => `--scalar-${color}:${value}`)
    .join(';')}}`

/** Names such as scopes stay whole. Code and lists are shown whole, so that nothing of them needs a mouse to scroll. */
const LINES = `
.markdown td:first-child code{white-space:nowrap}
.markdown pre code.hljs{white-space:pre-wrap!important;overflow:visible!important;overflow-wrap:anywhere}
.endpoints{overflow:visible!important}`

export const REFERENCE_STYLE = `${scheme('light-mode', LIGHT)}\n${scheme('dark-mode', DARK)}${LINES}`

/**
 * A step cannot have its templates filled in: too much text, or a definition that was never checked. Values that
 * are not there, or not of the form a function wants, are no error: they yield null.
 */
export class TemplateError extends Error {
  override name = 'TemplateError'
}

/**
 * The templates of a step cannot be resolved: too much text, or an unchecked definition. Missing values, and values
 * that a function does not accept, are not an error: their result is null.
 */
export class TemplateError extends Error {
  override name = 'TemplateError'
}

/** The error of a field with more characters than the service accepts. The text is not cut. */
export function tooLong(text: string, max: number): string | undefined {
  const { length } = [...text]
  return length > max ? `Use at most ${max} characters (now ${length})` : undefined
}

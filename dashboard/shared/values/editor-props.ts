/** Props of every value editor. null means no value. */
export interface EditorProps {
  value: unknown
  onChange(value: unknown): void
  label?: string | undefined
  'aria-label'?: string | undefined
  error?: string | undefined
  required?: boolean | undefined
  autoFocus?: boolean | undefined
}

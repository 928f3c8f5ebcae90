// How values of a type are entered.
import type { ReactNode } from 'react'
import type { Attribute } from '../../shared/api/objects.ts'
import type { EditorProps } from '../../shared/values/editor-props.ts'

export interface TypeEditor {
  editor(props: EditorProps, attribute: Attribute): ReactNode
  /** Takes what is typed over a cell as one text; missing: the editor has a field of text. */
  typedEditor?(props: EditorProps): ReactNode
  /** Edits several values; missing: one editor for each. */
  manyEditor?(props: EditorProps, attribute: Attribute): ReactNode
  /** As other programs write it → a form that the service reads, by the language of the browser; missing: as it is. */
  fromPasted?(text: string): string
}

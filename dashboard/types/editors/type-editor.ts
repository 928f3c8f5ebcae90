// How values of a type are entered.
import type { ReactNode } from 'react'
import type { Attribute } from '../../shared/api/objects.ts'
import type { EditorProps } from '../../shared/values/editor-props.ts'

export interface TypeEditor {
  editor(props: EditorProps, attribute: Attribute): ReactNode
  /** The editor for text that is typed over a cell. Without it, the usual editor is used: it has one text field. */
  typedEditor?(props: EditorProps): ReactNode
  /** The editor for several values. Without it, each value has its own editor. */
  manyEditor?(props: EditorProps, attribute: Attribute): ReactNode
  /**
   * Converts pasted text to a form that the service reads, in the language of the browser. Without it, the text stays
   * unchanged.
   */
  fromPasted?(text: string): string
}

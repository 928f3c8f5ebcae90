// Types whose values are typed as one text.
import { TagsEditor } from '../../shared/values/tags-editor.tsx'
import { TextEditor } from '../../shared/values/text-editor.tsx'
import type { TypeEditor } from './type-editor.ts'

/** URLs use it too: with type="url", browsers would refuse "acme.com", which the service completes. */
export const text: TypeEditor = {
  editor: (props) => <TextEditor {...props} />,
  manyEditor: (props) => <TagsEditor {...props} />,
}

export const email: TypeEditor = { ...text, editor: (props) => <TextEditor {...props} type="email" /> }

export const phoneNumber: TypeEditor = { ...text, editor: (props) => <TextEditor {...props} type="tel" /> }

// Email addresses and phone numbers: links.
import { ContactCell } from '../shared/table/contact-cell.tsx'
import { TagsEditor } from '../shared/values/tags-editor.tsx'
import type { TypeDefinition } from './type-definition.ts'

/** @param scheme of the link */
export const contact = (scheme: 'mailto' | 'tel') =>
  ({
    view: ({ text }) => (
      <a className="underlined" href={`${scheme}:${text.replace(/\s/g, '')}`}>
        {text}
      </a>
    ),
    cell: ({ text }) => <ContactCell scheme={scheme} text={text} />,
    hasCopyButton: true,
    manyEditor: (props) => <TagsEditor {...props} />,
    firstOperator: 'contains',
  }) satisfies Partial<TypeDefinition>

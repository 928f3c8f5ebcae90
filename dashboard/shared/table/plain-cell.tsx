/** A text that is cut at the end of the cell. The tooltip has the full text. */
export const PlainCell = ({ text, exact }: { text: string; exact?: string }) => (
  <span className="truncate" title={exact ?? text}>
    {text}
  </span>
)

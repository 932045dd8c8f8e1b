package io.onbeat.beat.web;

import java.util.List;

/** A page of tables; whatever is put into it is escaped. */
final class Html {
    private final StringBuilder text = new StringBuilder();
    private int rows;

    Html(String title) {
        text.append(
                        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"2\">")
                .append("<title>")
                .append(escaped(title))
                .append("</title><style>body{font:14px system-ui,sans-serif;margin:2em;color:#222}")
                .append(
                        "table{border-collapse:collapse}td,th{text-align:left;padding:.2em 1em .2em 0;vertical-align:top}")
                .append(
                        "th{color:#666;font-weight:normal}.problem{color:#a00;white-space:pre-wrap}h2{margin-top:1.5em}")
                .append("@media(prefers-color-scheme:dark){body{background:#181818;color:#ddd}th{color:#999}")
                .append(".problem{color:#f77}}</style></head><body><h1>")
                .append(escaped(title))
                .append("</h1>");
    }

    void line(String line) {
        text.append("<p>").append(escaped(line)).append("</p>");
    }

    void problem(String problem) {
        text.append("<p class=\"problem\">").append(escaped(problem)).append("</p>");
    }

    void table(String title, List<String> columns) {
        rows = 0;
        text.append("<h2>").append(escaped(title)).append("</h2><table><tr>");
        columns.forEach(column -> text.append("<th>").append(escaped(column)).append("</th>"));
        text.append("</tr>");
    }

    void row(Object... cells) {
        rows++;
        text.append("<tr>");
        for (Object cell : cells) {
            text.append("<td>").append(escaped(cell.toString())).append("</td>");
        }
        text.append("</tr>");
    }

    /** @param empty said in place of rows when there are none */
    void endTable(String empty) {
        text.append("</table>");
        if (rows == 0) {
            line(empty);
        }
    }

    String end() {
        return text.append("</body></html>\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}

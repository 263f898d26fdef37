import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;
import weka.classifiers.AbstractClassifier;
import weka.classifiers.Classifier;
import weka.classifiers.rules.JRip;
import weka.classifiers.rules.PART;
import weka.classifiers.rules.Rule;
import weka.core.Instances;
import weka.core.converters.ConverterUtils.DataSource;

/**
 * Weka's learners, asked as serving.py says: "learn", a class below weka.classifiers with its options, an ARFF
 * file whose last column is the class, and perhaps how many of its rows; or "predict" and an ARFF file.
 */
public class LearnersOfWeka {
    public static void main(String[] none) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        PrintStream out = System.out;
        System.setOut(System.err); // what Weka prints is no answer
        Classifier learned = null;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split("\t");
            try {
                if (words[0].equals("learn")) {
                    Instances table = read(words[2]);
                    if (words.length > 3) {
                        table = new Instances(table, 0, Math.min(Integer.parseInt(words[3]), table.size()));
                    }
                    double before = status("VmRSS");
                    learned = AbstractClassifier.forName("weka.classifiers." + name(words[1]), options(words[1]));
                    long start = System.nanoTime();
                    learned.buildClassifier(table);
                    double seconds = (System.nanoTime() - start) / 1e9;
                    out.printf("{\"seconds\": %.6f, %s, \"before\": %.1f, \"peak\": %.1f}%n",
                            seconds, size(learned), before, status("VmHWM"));
                } else {
                    StringJoiner codes = new StringJoiner(", ", "{\"codes\": [", "]}");
                    for (var row : read(words[1])) {
                        codes.add(Integer.toString((int) learned.classifyInstance(row)));
                    }
                    out.println(codes);
                }
            } catch (Exception problem) {
                out.println("{\"error\": \"" + problem.toString().replaceAll("[\\\\\"\\p{Cntrl}]", " ") + "\"}");
            }
        }
    }

    private static String name(String learner) {
        return learner.split(" ")[0];
    }

    private static String[] options(String learner) {
        String[] words = learner.split(" ");
        return java.util.Arrays.copyOfRange(words, 1, words.length);
    }

    private static Instances read(String path) throws Exception {
        Instances table = DataSource.read(path);
        table.setClassIndex(table.numAttributes() - 1);
        return table;
    }

    /** Rules and conditions without the rule at the end that has no condition. */
    private static String size(Classifier learned) {
        int rules = 0;
        int conditions = 0;
        if (learned instanceof JRip ripper) {
            for (Rule rule : ripper.getRuleset()) {
                rules += rule.hasAntds() ? 1 : 0;
                conditions += (int) rule.size();
            }
        } else if (learned instanceof PART) {
            for (String rule : learned.toString().split("-+\n\n", 2)[1].split("\n\n")) {
                if (!rule.startsWith(":") && !rule.startsWith("Number of Rules")) {
                    rules++;
                    conditions += rule.split("\n").length;
                }
            }
        }
        return "\"rules\": " + rules + ", \"conditions\": " + conditions;
    }

    private static double status(String field) throws Exception {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith(field + ":")) {
                return Integer.parseInt(line.split("\\s+")[1]) / 1024.0;
            }
        }
        throw new IllegalStateException("there is no " + field);
    }
}
